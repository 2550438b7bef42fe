// The page's policy of Trusted Types: no text becomes markup that DOMPurify has not cleaned.
import DOMPurify from "dompurify";

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

// Swagger UI writes the Markdown of a document as a text of markup, which it has cleaned but not marked as such.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("default", {
  createHTML: (text) => DOMPurify.sanitize(text, { ADD_ATTR: ["target"] }),
});
