"""What the bytes of existing files mean: the TOML schema, and where each named array lies. First: schema.py."""
