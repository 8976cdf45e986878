"""What a replication does, decided from what lies at both sides: values in, steps or a conflict out."""
