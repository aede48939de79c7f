"""What one step of the engine costs against a plain way of doing it, measured side by side."""
