"""The corpus an encoder is pretrained on."""
