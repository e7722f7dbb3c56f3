import { field, requiredField } from './fields';
import type { AccessLevel, Project } from './model';
import {
  badRequest,
  notFound,
  readableProject,
  refused,
  type GitLabRequest,
} from './request';
import { json, list, read, WRITE, type Route } from './route';

const LEVELS: Record<AccessLevel, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrators',
};

/** GitLab's default, which means maintainers. */
const MAINTAINERS: AccessLevel = 40;

function levelOf(request: GitLabRequest, name: string): AccessLevel {
  const level = Number(field(request, name) ?? MAINTAINERS);
  if (!(level in LEVELS)) {
    throw badRequest(`${name} does not have a valid value`);
  }
  return level as AccessLevel;
}

const renderLevels = (level: AccessLevel) => [
  {
    id: 1,
    access_level: level,
    access_level_description: LEVELS[level],
    user_id: null,
    group_id: null,
  },
];

function renderProtectedBranch(project: Project, name: string) {
  const protection = project.protectedBranches.get(name);
  if (!protection) {
    throw notFound();
  }
  return {
    id: protection.id,
    name,
    push_access_levels: renderLevels(protection.push),
    merge_access_levels: renderLevels(protection.merge),
    allow_force_push: false,
  };
}

function renderProtectedTag(project: Project, name: string) {
  const protection = project.protectedTags.get(name);
  if (!protection) {
    throw notFound();
  }
  return { name, create_access_levels: renderLevels(protection.create) };
}

/** Routes of what a project protects: names or patterns of branches and tags. */
export const protectionRoutes: Route[] = [
  read('/projects/:id/protected_branches', request => {
    const project = readableProject(request);
    return list([...project.protectedBranches.keys()], name =>
      renderProtectedBranch(project, name),
    );
  }),
  read('/projects/:id/protected_branches/:name', request =>
    json(
      renderProtectedBranch(readableProject(request), request.parameters.name),
    ),
  ),
  {
    method: 'POST',
    path: '/projects/:id/protected_branches',
    scopes: WRITE,
    handle: request => {
      const project = readableProject(request);
      const branch = requiredField(request, 'name');
      const push = levelOf(request, 'push_access_level');
      const merge = levelOf(request, 'merge_access_level');
      if (project.protectedBranches.has(branch)) {
        throw refused(409, `Protected branch '${branch}' already exists`);
      }
      request.state.protectBranch({
        project: project.id,
        branch,
        push,
        merge,
      });
      return json(renderProtectedBranch(project, branch), 201);
    },
  },
  {
    method: 'DELETE',
    path: '/projects/:id/protected_branches/:name',
    scopes: WRITE,
    handle: request => {
      const project = readableProject(request);
      if (!project.protectedBranches.delete(request.parameters.name)) {
        throw notFound();
      }
      return json(undefined, 204);
    },
  },
  read('/projects/:id/protected_tags', request => {
    const project = readableProject(request);
    return list([...project.protectedTags.keys()], name =>
      renderProtectedTag(project, name),
    );
  }),
  read('/projects/:id/protected_tags/:name', request =>
    json(renderProtectedTag(readableProject(request), request.parameters.name)),
  ),
  {
    method: 'POST',
    path: '/projects/:id/protected_tags',
    scopes: WRITE,
    handle: request => {
      const project = readableProject(request);
      const pattern = requiredField(request, 'name');
      const create = levelOf(request, 'create_access_level');
      if (project.protectedTags.has(pattern)) {
        throw refused(409, `Protected tag '${pattern}' already exists`);
      }
      request.state.protectTags({ project: project.id, pattern, create });
      return json(renderProtectedTag(project, pattern), 201);
    },
  },
  {
    method: 'DELETE',
    path: '/projects/:id/protected_tags/:name',
    scopes: WRITE,
    handle: request => {
      const project = readableProject(request);
      if (!project.protectedTags.delete(request.parameters.name)) {
        throw notFound();
      }
      return json(undefined, 204);
    },
  },
];
