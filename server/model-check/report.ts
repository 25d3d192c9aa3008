import type { EmbeddingCheck, RerankingCheck } from './check.ts'

/** Competence from which a language counts as well and as partly supported. */
const [good, usable] = [0.7, 0.3]

/** Returns the result of a check as lines for a terminal. */
export function reportOf(check: EmbeddingCheck | RerankingCheck): string {
  const rows: [string, string][] = [
    ['model', check.model],
    ['files', check.files.join(', ')],
    ...(check.unusedModels.length > 0 ? [['not used', check.unusedModels.join(', ')] as [string, string]] : []),
    ['family', check.family],
    ['precision', check.precision],
    ['maximum tokens', String(check.maxTokens)],
    ...(check.kind === 'embedding' ? embeddingRows(check) : rerankingRows(check)),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}

function embeddingRows(check: EmbeddingCheck): [string, string][] {
  const { dimensions, modelDimensions, competence, textsPerSecond } = check
  const languages = (from: number, below: number): string =>
    Object.entries(competence)
      .filter(([, value]) => value >= from && value < below)
      .map(([language, value]) => `${language} ${value}`)
      .join(', ') || 'none'
  return [
    ['pooling', check.pooling],
    ['dimensions', dimensions === modelDimensions ? String(dimensions) : `the first ${dimensions} of ${modelDimensions}`],
    ['query prefix', quoted(check.queryPrefix)],
    ['passage prefix', quoted(check.passagePrefix)],
    ...check.cosines.map(({ query, passage, cosine }): [string, string] => [`cosine ${cosine.toFixed(3)}`, `${query} – ${passage}`]),
    ['unrelated texts', `cosine ${check.unrelatedCosine}, which counts as 0`],
    ['throughput', `${textsPerSecond.queries} short queries and ${textsPerSecond.passages} passages of 200 words per second`],
    ['good languages', languages(good, Infinity)],
    ['partly', languages(usable, good)],
    ['poor', languages(0, usable)],
  ]
}

const rerankingRows = ({ relevances, pairsPerSecond }: RerankingCheck): [string, string][] => [
  ...relevances.map(({ query, passage, relevance }): [string, string] => [`relevance ${relevance.toFixed(3)}`, `${query} – ${passage}`]),
  ['throughput', `${pairsPerSecond} passages of 200 words per second`],
]

const quoted = (prefix: string): string => (prefix === '' ? 'none' : JSON.stringify(prefix))
