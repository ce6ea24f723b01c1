"""How the embedded entailment model is made; not part of the installed package."""
