import { Modal } from '@mantine/core'
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState, type ComponentType } from 'react'
import { isCodeMissing, loadStylesAgain } from '../lib/missing-code.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { MissingDialog } from './missing-code.tsx'

interface DialogProps {
  onClose: () => void
}

/** Returns a dialog whose code is loaded when it is first opened. If the code cannot be loaded, a dialog says so, and the page stays. */
export function lazyDialog(load: () => Promise<{ default: ComponentType<DialogProps> }>): ComponentType<DialogProps> {
  let Dialog = lazy(load)
  return function LazyDialog({ onClose }) {
    const [attempts, setAttempts] = useState(0)
    const Failed = useCallback(
      ({ error }: ErrorComponentProps) => {
        // A lazy component keeps its failure.
        const renew = (): void => {
          Dialog = lazy(() => {
            loadStylesAgain()
            return load()
          })
        }
        const close = (): void => {
          renew()
          onClose()
        }
        const retry = (): void => {
          renew()
          setAttempts((before) => before + 1)
        }
        return <FailedDialog error={error} onClose={close} retry={retry} />
      },
      [onClose],
    )
    return (
      <CatchBoundary getResetKey={() => attempts} errorComponent={Failed}>
        <Suspense>
          <Dialog onClose={onClose} />
        </Suspense>
      </CatchBoundary>
    )
  }
}

/** @throws errors that are not about missing code, for the page */
function FailedDialog({ error, onClose, retry }: DialogProps & { error: unknown; retry: () => void }) {
  const { noConnection, close } = useMessages(sharedMessages)
  if (!isCodeMissing(error)) throw error
  return (
    <Modal opened onClose={onClose} title={noConnection} closeButtonProps={{ 'aria-label': close }}>
      <MissingDialog error={error} retry={retry} />
    </Modal>
  )
}
