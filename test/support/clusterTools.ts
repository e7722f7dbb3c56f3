export {
  runClusterTool,
  type ClusterTool,
  type ToolResult,
} from 'simulator/src/tools/clusterTools';
