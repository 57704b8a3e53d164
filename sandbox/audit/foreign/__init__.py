"""Tasks of other libraries, audited unchanged: their code runs inside the sandbox and nowhere else."""
