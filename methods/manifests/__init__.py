"""Inference-stack manifests: two held against each other, and the precision audit of what two runs gave (METHODS 9)."""
