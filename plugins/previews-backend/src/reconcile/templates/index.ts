export { TemplateError } from './lexer';
export * from './fastTemplate';
export * from './goTemplate';
export { sizeOf } from './sizeOf';
export * from './slug';
