"""What an agent can ask for; knows the sandbox's values, no model and no page."""
