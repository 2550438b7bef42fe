// Files of the bundle that are texts.
declare module "*.txt" {
  const text: string;
  export default text;
}
