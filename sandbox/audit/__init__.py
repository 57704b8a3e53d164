"""The auditor: a deeper tier of measurements, and the certificate that holds them."""
