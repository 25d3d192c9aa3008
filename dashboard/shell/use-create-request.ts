import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Asks the page to open the form that creates a record. */
    create?: boolean
  }
}

/** Opens the form that creates a record when the palette has led to the page for it. */
export function useCreateRequest(open: () => void): void {
  const { state } = useLocation()
  const onRequest = useEffectEvent(open)
  const request = state.create === true ? state.key : undefined
  useEffect(() => {
    if (request !== undefined) onRequest()
  }, [request])
}
