"""Makers of pages, one subject a module: each reads `Facts` and yields pages."""
