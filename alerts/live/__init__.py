"""What pools do at this moment, read only while somebody looks, and how far what takes hours has come."""
