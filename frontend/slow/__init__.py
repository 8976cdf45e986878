"""The page that answers: what is slow?"""
