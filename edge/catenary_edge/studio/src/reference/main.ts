import "./policy.ts";
import "./theme.ts";
import "./reference.ts";
