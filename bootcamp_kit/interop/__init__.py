"""Our tasks under the interfaces of other libraries."""
