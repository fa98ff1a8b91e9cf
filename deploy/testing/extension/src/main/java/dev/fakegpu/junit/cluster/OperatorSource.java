package dev.fakegpu.junit.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which operator runs, and how. */
@FunctionalInterface
interface OperatorSource {

    /**
     * Starts it; it works as soon as the API server does.
     *
     * @param environment its variables, except for the kubeconfig
     * @param log a file for what a process says
     */
    OperatorRun start(Kubernetes kubernetes, Map<String, String> environment, Path log);

    /** The image or the directory that is named, or else the operator on the class path. */
    static OperatorSource find() {
        Optional<String> image = Option.OPERATOR_IMAGE.value();
        if (image.isPresent()) {
            return (kubernetes, environment, log) -> kubernetes.startOperator(image.get(), environment);
        }
        OperatorProgram program = OperatorProgram.find();
        return (kubernetes, environment, log) -> OperatorProcess.start(program, kubernetes, environment, log);
    }

    /** Its variables with what a test class wants. */
    static Map<String, String> environment(ClusterSettings settings) {
        var environment = new HashMap<String, String>();
        environment.put("QUARKUS_HTTP_PORT", "0");
        environment.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        environment.put("FAKEGPU_EXPLANATIONS_NAMES", "Full"); // whoever tests may know everything
        environment.putAll(settings.operator());
        return environment;
    }
}
