package dev.fakegpu.junit;

import dev.fakegpu.junit.FakeGpuCluster.Allocator;
import dev.fakegpu.junit.cluster.ClusterException;
import dev.fakegpu.junit.cluster.ClusterSettings;
import java.util.HashMap;
import java.util.Map;

/** Reads the settings of a class's cluster from the annotation. */
final class Settings {

    private Settings() {}

    static ClusterSettings of(FakeGpuCluster wanted) {
        String version = wanted.kubernetes().isEmpty() ? ClusterSettings.DEFAULT_VERSION : wanted.kubernetes();
        String gates = wanted.featureGates().length == 0
                ? ClusterSettings.defaultGates(version)
                : String.join(",", wanted.featureGates());
        return new ClusterSettings(
                version, gates, wanted.allocator() == Allocator.KUBE_SCHEDULER, operator(wanted.operator()));
    }

    private static Map<String, String> operator(String[] settings) {
        var variables = new HashMap<String, String>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new ClusterException("operator: \"" + setting
                        + "\" is not allowed; allowed: NAME=VALUE, such as FAKEGPU_COMPANION_GATE=Off");
            }
            variables.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return variables;
    }
}
