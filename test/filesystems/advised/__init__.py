"""What `headrace advise` says of situations whose cause is planted."""
