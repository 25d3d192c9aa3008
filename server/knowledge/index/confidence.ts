import type { Evidence } from './evidence.ts'

/** Weights of a logistic regression. */
interface Weights {
  readonly constant: number
  readonly coverage: number
  readonly strength: number
  readonly missing: number
  readonly length: number
  readonly gap: number
  readonly cosine: number
  readonly lead: number
}

/** Weights for searches with vectors, and for those without. `npm run bench:confidence` fits and measures them. */
const withVectors: Weights = {
  constant: -7.23,
  coverage: 7.58,
  strength: -3.11,
  missing: 1.75,
  length: 0.7,
  gap: 1.72,
  cosine: 4.26,
  lead: 7.11,
}
const withoutVectors: Weights = { constant: -6.73, coverage: 6.64, strength: 2.21, missing: 2, length: 1.48, gap: 1.62, cosine: 0, lead: 0 }

/**
 * Returns the estimated probability that the best matches answer the question, 0 to 1: a logistic regression on questions of
 * the open evaluation sets, one fifth of which lost the passages that answer them. Returns 0 without evidence.
 */
export function confidenceOf(evidence: Evidence | null): number {
  if (evidence === null) return 0
  const { coverage, strength, missing, length, gap, vector } = evidence
  const weights = vector === null ? withoutVectors : withVectors
  const logit =
    weights.constant +
    weights.coverage * coverage +
    weights.strength * strength +
    weights.missing * missing +
    weights.length * length +
    weights.gap * gap +
    weights.cosine * (vector?.cosine ?? 0) +
    weights.lead * (vector?.lead ?? 0)
  return 1 / (1 + Math.exp(-logit))
}
