import { useMessages } from '../../messages/messages.ts'
import { importMessages } from './messages.ts'

export type Step = 'file' | 'columns' | 'preview' | 'result'

/** Shows the steps of an import and the present one. */
export function Steps({ current }: { current: Step }) {
  const { steps, stepsLabel } = useMessages(importMessages)
  return (
    <ol className="import-steps" aria-label={stepsLabel}>
      {Object.entries(steps).map(([step, label], index) => (
        <li key={step} {...(step === current && { 'aria-current': 'step' as const })}>
          <span aria-hidden>{index + 1}</span>
          {label}
        </li>
      ))}
    </ol>
  )
}
