set(embedded_sources)
