package groundwork;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.mapper.MapperExtrasPlugin;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/** Runs one OpenSearch node on loopback until the process ends. Arguments: settings as name=value. */
public final class OpenSearchNode extends Node {
  private static final List<Class<? extends Plugin>> PLUGINS =
      List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, PainlessPlugin.class, MapperExtrasPlugin.class, KNNPlugin.class);

  private OpenSearchNode(Environment environment, Collection<Class<? extends Plugin>> plugins) {
    super(environment, plugins, false);
  }

  public static void main(String[] arguments) throws Exception {
    Settings.Builder settings = Settings.builder();
    for (String argument : arguments) {
      int at = argument.indexOf('=');
      settings.put(argument.substring(0, at), argument.substring(at + 1));
    }
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), configFolder(settings), () -> "node");
    Node node = new OpenSearchNode(environment, PLUGINS);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
    node.start();
    System.out.println("started");
    // The threads of a node are daemons.
    Thread.currentThread().join();
  }

  private static Path configFolder(Settings.Builder settings) throws IOException {
    return Files.createDirectories(Path.of(settings.get("path.home"), "config"));
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (IOException error) {
      throw new java.io.UncheckedIOException(error);
    }
  }
}
