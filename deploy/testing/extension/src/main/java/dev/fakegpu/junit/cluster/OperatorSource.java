package dev.fakegpu.junit.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The operator to run, and the way to run it. */
@FunctionalInterface
interface OperatorSource {

    /**
     * Starts the operator, which works as soon as the API server does.
     *
     * @param environment its environment variables, without the kubeconfig
     * @param log a file for the output of a process
     */
    OperatorRun start(Kubernetes kubernetes, Map<String, String> environment, Path log);

    /** The configured image or directory or, if none is configured, the operator on the class path. */
    static OperatorSource find() {
        Optional<String> image = Option.OPERATOR_IMAGE.value();
        if (image.isPresent()) {
            return (kubernetes, environment, log) -> kubernetes.startOperator(image.get(), environment);
        }
        OperatorProgram program = OperatorProgram.find();
        return (kubernetes, environment, log) -> OperatorProcess.start(program, kubernetes, environment, log);
    }

    /** The environment variables, with those of the test class. */
    static Map<String, String> environment(ClusterSettings settings) {
        var environment = new HashMap<String, String>();
        environment.put("QUARKUS_HTTP_PORT", "0");
        environment.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        environment.put("FAKEGPU_EXPLANATIONS_NAMES", "Full"); // tests may see all names
        environment.putAll(settings.operator());
        return environment;
    }
}
