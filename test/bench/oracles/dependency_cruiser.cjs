// Configuration for dependency-cruiser 16: imports for types count, builds are led to and not followed.
const extensions = ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.jsx', '.json'];

module.exports = {
  options: {
    doNotFollow: { path: ['node_modules', '(^|/)(build|dist)/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      mainFields: ['main', 'types'],
      extensions,
    },
  },
};
