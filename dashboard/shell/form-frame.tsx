import { Stack, type StackProps } from '@mantine/core'
import { use, useRef, type ReactNode } from 'react'
import { WorkspaceContext } from '../lib/workspace.ts'
import { FormFailure } from './form-failure.tsx'
import { GoneForm, isNotFound, useGone } from './record-gone.tsx'

interface FormFrameProps extends Pick<StackProps, 'gap' | 'maw'> {
  onSubmit: () => void
  error?: unknown
  /** API paths whose errors the form shows at its fields. */
  fields?: readonly string[]
  buttons?: ReactNode
  /** Closes the dialog of the form. */
  onClose?: () => void
  children: ReactNode
}

/** A form that is validated by the API. Errors that do not belong to a field appear above the buttons. */
export function FormFrame({ onSubmit, error, fields = [], buttons, onClose, children, ...stack }: FormFrameProps) {
  const element = useRef<HTMLFormElement>(null)
  const isOfWorkspace = use(WorkspaceContext) !== null
  const gone = useGone()
  const isGone = gone !== undefined || (isOfWorkspace && isNotFound(error, fields))
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isGone && hasReadableInputs(event.currentTarget)) onSubmit()
      }}
    >
      <Stack {...stack}>
        {children}
        {isGone ? (
          <GoneForm form={() => element.current} onClose={onClose} />
        ) : (
          <>
            <FormFailure error={error} fields={fields} />
            {buttons}
          </>
        )}
      </Stack>
    </form>
  )
}

/** A date without a time has no value. The browser shows what is missing, so that the form is not sent without the date. */
const hasReadableInputs = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll('input')].every((input) => !input.validity.badInput || input.reportValidity())
