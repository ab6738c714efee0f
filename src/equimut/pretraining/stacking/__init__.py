"""The small model behind the shipped detector: its rows, how it is fitted and measured."""
