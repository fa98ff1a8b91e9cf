package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.kube.manifest.KubernetesVersion;

/** What an API server is like that takes an object: its version, and its feature gates. */
public interface ApiServer {

    KubernetesVersion version();

    /** @param gate the name of a feature gate */
    boolean isOn(String gate);

    /** A new object without the fields that the API server drops before it validates the others. */
    JsonNode kept(JsonNode object);

    /** An API server whose gates are all on. */
    static ApiServer of(KubernetesVersion version) {
        return new ApiServer() {
            @Override
            public KubernetesVersion version() {
                return version;
            }

            @Override
            public boolean isOn(String gate) {
                return true;
            }

            @Override
            public JsonNode kept(JsonNode object) {
                return object;
            }
        };
    }
}
