"""Pictures of embeddings and distances."""
