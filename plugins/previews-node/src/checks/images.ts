/** A reference of an image, taken apart. */
export interface ImageReference {
  /** Registry and path, without tag and digest. */
  name: string;
  tag?: string;
  digest?: string;
}

/** Tags that people move on purpose. */
const MOVED =
  /^(?:latest|main|master|trunk|develop|development|dev|edge|nightly|stable|staging|prod|production|current|head)$/i;

export function parseImage(image: string): ImageReference {
  const [reference, digest] = image.split('@');
  const colon = reference.lastIndexOf(':');
  const hasTag = colon > reference.lastIndexOf('/');
  return {
    name: hasTag ? reference.slice(0, colon) : reference,
    ...(hasTag && { tag: reference.slice(colon + 1) }),
    ...(digest !== undefined && { digest }),
  };
}

/** Whether the reference can mean another image tomorrow. */
export function isMutable({ tag, digest }: ImageReference): boolean {
  return digest === undefined && (tag === undefined || MOVED.test(tag));
}

/** Whether the image is built by a project: its path is in the name. */
export function isBuiltBy(image: ImageReference, project: string): boolean {
  const path = project.toLowerCase();
  return image.name.endsWith(`/${path}`) || image.name.includes(`/${path}/`);
}
