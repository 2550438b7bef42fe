import "./elements/studio.ts";
