"""What people look at: embeddings, distances, pictures."""
