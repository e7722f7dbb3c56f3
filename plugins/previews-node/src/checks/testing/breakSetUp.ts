import { CheckContext, CheckedFile, CheckedManifest } from '../types';
import { asObject, Path, valueAt } from '../values';
import { goodSetUp } from './goodSetUp';

/** A good set-up, of which one thing is about to be broken. */
export class Draft {
  readonly manifests: CheckedManifest[];
  readonly files: { path: string; text: string }[];
  readonly context: { -readonly [K in keyof CheckContext]: CheckContext[K] };

  constructor() {
    const good: {
      manifests: CheckedManifest[];
      files: CheckedFile[];
      context: CheckContext;
    } = goodSetUp();
    this.manifests = good.manifests;
    this.files = good.files.map(file => ({ ...file }));
    this.context = good.context;
  }

  /** The object of a kind, of an environment where several have one. */
  object(kind: string, environment?: 'preview' | 'prod'): object {
    const found = this.manifests.find(
      manifest =>
        valueAt(manifest.object, ['kind']) === kind &&
        (environment === undefined ||
          manifest.environment?.name === environment),
    );
    return found!.object as object;
  }

  /** Sets a value of an object; undefined removes it. */
  set(target: object, path: Path, value: unknown): this {
    const parent = valueAt(target, path.slice(0, -1)) as Record<
      string | number,
      unknown
    >;
    const key = path.at(-1)!;
    if (value === undefined) {
      delete parent[key];
    } else {
      parent[key] = value;
    }
    return this;
  }

  /** Sets a value of the ApplicationSet. */
  inSet(path: Path, value: unknown): this {
    return this.set(this.object('ApplicationSet'), path, value);
  }

  /** Sets a value of the only pull request generator. */
  inGenerator(path: Path, value: unknown): this {
    return this.inSet(['spec', 'generators', 0, 'pullRequest', ...path], value);
  }

  /** Sets a value of the Deployment of an environment. */
  inDeployment(
    environment: 'preview' | 'prod',
    path: Path,
    value: unknown,
  ): this {
    return this.set(this.object('Deployment', environment), path, value);
  }

  /** Sets a value of the first container of an environment. */
  inContainer(
    environment: 'preview' | 'prod',
    path: Path,
    value: unknown,
  ): this {
    return this.inDeployment(
      environment,
      ['spec', 'template', 'spec', 'containers', 0, ...path],
      value,
    );
  }

  /** Adds an object, of an environment if it has one. */
  add(object: object, environment?: 'preview' | 'prod'): this {
    this.manifests.push({
      source: { path: 'added.yaml' },
      object,
      ...(environment && {
        environment: { tier: environment, name: environment },
      }),
    });
    return this;
  }

  remove(kind: string, environment?: 'preview' | 'prod'): this {
    const object = this.object(kind, environment);
    this.manifests.splice(
      this.manifests.findIndex(manifest => manifest.object === object),
      1,
    );
    return this;
  }

  /** The policy document of AWS that allows an action. */
  policy(action: string): object {
    return this.manifests
      .map(({ object }) => asObject(object)!)
      .find(object => JSON.stringify(object).includes(action))!;
  }

  /** Adds a line to a file. */
  line(path: string, text: string): this {
    this.files.find(file => file.path === path)!.text += `${text}\n`;
    return this;
  }
}
