import { PropsWithChildren, SyntheticEvent } from 'react';
import Link from '@material-ui/core/Link';
import { safeUrl } from './safeUrl';

/** A click on a link inside a row is not a click on the row. */
function stop(event: SyntheticEvent) {
  event.stopPropagation();
}

/**
 * A link out of the portal, in a new tab. What is no safe address is shown as
 * text.
 */
export function ExternalLink(
  props: PropsWithChildren<{
    href?: string;
    label?: string;
    title?: string;
    className?: string;
  }>,
) {
  const { href, label, title, className, children } = props;
  const url = safeUrl(href);
  if (!url) {
    return (
      <span className={className} title={title}>
        {children}
      </span>
    );
  }
  return (
    <Link
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      underline="always"
      aria-label={label}
      title={title}
      className={className}
      onClick={stop}
      onKeyDown={stop}
    >
      {children}
    </Link>
  );
}
