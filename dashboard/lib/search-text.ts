import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** The delay between the last key and the search. */
const debounceMs = 150

/** Holds the typed text and writes it to the URL after a short delay. Follows the URL when it changes, for example on going back. */
export function useSearchText(q: string | undefined, setParam: (q: string | undefined) => void): [string, (text: string) => void] {
  const [text, setText] = useState(q ?? '')
  const written = useRef(q)
  const writeSoon = useDebouncedCallback((typed: string) => {
    written.current = typed.trim() === '' ? undefined : typed.trim()
    setParam(written.current)
  }, debounceMs)
  useEffect(() => {
    if (q === written.current) return
    written.current = q
    setText(q ?? '')
  }, [q])
  return [
    text,
    (typed) => {
      setText(typed)
      writeSoon(typed)
    },
  ]
}
