// Few rules: those that find faults which the compiler does not. Formatting is left to Prettier.
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config({
  files: ["src/**/*.{ts,tsx}"],
  plugins: { "@typescript-eslint": tseslint.plugin, "react-hooks": hooks },
  languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    "react-hooks/rules-of-hooks": "error",
    "react-hooks/exhaustive-deps": "error",
    // A promise that nobody waits for loses its error.
    "@typescript-eslint/no-floating-promises": "error",
    "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
    "@typescript-eslint/await-thenable": "error",
    "@typescript-eslint/only-throw-error": "error",
    "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "@typescript-eslint/no-unnecessary-type-assertion": "error",
    "@typescript-eslint/restrict-plus-operands": "error",
    "@typescript-eslint/no-array-delete": "error",
    "@typescript-eslint/require-array-sort-compare": "error",
    "@typescript-eslint/no-for-in-array": "error",
    eqeqeq: ["error", "always", { null: "ignore" }],
    "array-callback-return": "error",
    "no-constant-binary-expression": "error",
    "no-loss-of-precision": "error",
    "no-self-compare": "error",
    "no-template-curly-in-string": "error",
    "no-unmodified-loop-condition": "error",
    "no-unsafe-finally": "error",
    "no-unsafe-optional-chaining": "error",
    "no-useless-backreference": "error",
    "no-var": "error",
    "prefer-const": "error",
  },
});
