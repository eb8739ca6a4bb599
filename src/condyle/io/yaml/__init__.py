"""The YAML form of a model: reading, writing, units and the JSON schema."""
