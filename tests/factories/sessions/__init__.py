"""Parts of tests of live sessions."""
