import type { ReactNode } from 'react';

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** A link to a stored URL: http(s) only, without a referrer. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }): React.JSX.Element {
  if (!isWebAddress(href)) return <span className="wrap-anywhere">{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline wrap-anywhere">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
