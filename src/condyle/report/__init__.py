"""Pictures and pages: vector graphics, each complete in one file; nothing is fetched."""
