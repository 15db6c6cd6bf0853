"""Plugs: all input and output. No rule about scores lives here."""
