"""The Studio: the page at `/studio`, from TypeScript sources in `src/` that `build_hook` bundles into `dist/`."""
