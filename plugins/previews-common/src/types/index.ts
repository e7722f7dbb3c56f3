export * from './api';
export * from './check';
export * from './condition';
export * from './finding';
export * from './phase';
export * from './preview';
export * from './source';
export * from './stats';
