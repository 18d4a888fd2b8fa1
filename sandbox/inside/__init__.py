"""What runs inside the sandbox, copied into the image as plain files; imports nothing of ours."""
