/** A row of a regression: features, and whether the question was answerable. */
export interface Example {
  readonly features: readonly number[]
  readonly answerable: boolean
  readonly weight: number
}

export interface Logistic {
  readonly constant: number
  readonly weights: readonly number[]
}

const iterations = 15
/** Strength of the quadratic penalty of standardized weights. */
const penalty = 1e-3

/** Fits a logistic regression with Newton's method. */
export function fitLogistic(examples: readonly Example[]): Logistic {
  const size = examples[0]?.features.length ?? 0
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const average = (of: (example: Example) => number): number => examples.reduce((sum, each) => sum + each.weight * of(each), 0) / total
  const means = Array.from({ length: size }, (_, at) => average(({ features }) => features[at] ?? 0))
  const deviations = means.map((mean, at) => Math.sqrt(average(({ features }) => ((features[at] ?? 0) - mean) ** 2)) || 1)
  const standard = examples.map(({ features }) => [1, ...features.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1))])
  let fitted = Array<number>(size + 1).fill(0)
  for (let iteration = 0; iteration < iterations; iteration++) {
    const system = fitted.map((value, at) => [
      ...fitted.map((_, other) => (at === other && at > 0 ? penalty : 0)),
      at > 0 ? penalty * value : 0,
    ])
    for (const [at, { answerable, weight }] of examples.entries()) {
      const row = standard[at] ?? []
      const probability = sigmoid(row.reduce((sum, value, feature) => sum + value * (fitted[feature] ?? 0), 0))
      for (const [feature, equation] of system.entries()) {
        const scaled = ((row[feature] ?? 0) * weight) / total
        for (const [other, value] of row.entries())
          equation[other] = (equation[other] ?? 0) + scaled * value * Math.max(probability * (1 - probability), 1e-6)
        equation[size + 1] = (equation[size + 1] ?? 0) + scaled * (probability - Number(answerable))
      }
    }
    const step = solve(system)
    fitted = fitted.map((value, at) => value - (step[at] ?? 0))
  }
  const weights = deviations.map((deviation, at) => (fitted[at + 1] ?? 0) / deviation)
  return { constant: (fitted[0] ?? 0) - weights.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0), weights }
}

export const probabilityOf = ({ constant, weights }: Logistic, features: readonly number[]): number =>
  sigmoid(constant + weights.reduce((sum, weight, at) => sum + weight * (features[at] ?? 0), 0))

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

/** Solves linear equations by Gauss-Jordan elimination with pivoting; the last column is the right side. */
function solve(system: number[][]): number[] {
  for (let column = 0; column < system.length; column++) {
    const pivot = system
      .slice(column)
      .reduce((best, row, at) => (Math.abs(row[column] ?? 0) > Math.abs(system[best]?.[column] ?? 0) ? column + at : best), column)
    const chosen = system[pivot] ?? []
    system[pivot] = system[column] ?? []
    system[column] = chosen
    for (const [at, row] of system.entries()) {
      if (at === column) continue
      const factor = (row[column] ?? 0) / (chosen[column] ?? 1)
      for (let other = column; other < row.length; other++) row[other] = (row[other] ?? 0) - factor * (chosen[other] ?? 0)
    }
  }
  return system.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1))
}
