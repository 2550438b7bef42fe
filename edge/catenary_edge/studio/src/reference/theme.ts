// The theme of the page for Swagger UI, which takes it from a class; all else follows the system by itself.

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = (): void => void document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
